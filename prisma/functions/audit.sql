-- What has been written stays as it was written, whatever a mistake in the application tries.
CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are only ever added';
END $$;

CREATE OR REPLACE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE ON "audit_entry" FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"();
CREATE OR REPLACE TRIGGER audit_entry_no_truncate BEFORE TRUNCATE ON "audit_entry" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();

-- A process that has no keys yet would break a chain that is keyed already: its change is refused as a whole.
CREATE OR REPLACE FUNCTION refuse_unkeyed_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM "audit_entry" WHERE "tenant_id" = NEW."tenant_id" AND "position" = NEW."position" - 1 AND "version" > 1
  ) THEN
    RAISE EXCEPTION 'this audit chain is keyed: an entry without a key cannot follow';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER audit_entry_stays_keyed BEFORE INSERT ON "audit_entry" FOR EACH ROW WHEN (NEW."version" = 1)
  EXECUTE FUNCTION "refuse_unkeyed_audit_entry"();
