-- Prisma reads enum columns as text, also in the RETURNING clause of what it writes. Citus takes only immutable functions there, and the
-- conversion that PostgreSQL has by itself counts as changeable, because a label can be renamed. Labels are never renamed here.
CREATE OR REPLACE FUNCTION enum_label(value ANYENUM) RETURNS TEXT LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN value;
END $$;

DO $$
DECLARE
  enum REGTYPE;
BEGIN
  FOR enum IN
    SELECT type.oid FROM pg_type AS type JOIN pg_namespace ON pg_namespace.oid = typnamespace
    WHERE typtype = 'e' AND nspname = current_schema()
      AND NOT EXISTS (SELECT FROM pg_cast WHERE castsource = type.oid AND casttarget = 'text'::regtype)
  LOOP
    EXECUTE format('CREATE CAST (%s AS TEXT) WITH FUNCTION enum_label(ANYENUM)', enum);
  END LOOP;
END $$;
