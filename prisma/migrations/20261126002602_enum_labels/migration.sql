-- Enum columns of settlements and of refunds are read as the others are: by a cast to text that counts as immutable, which Citus needs.
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
