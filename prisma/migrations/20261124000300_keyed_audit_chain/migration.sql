-- Entries of version 2 are hashed with a key that the database does not hold; those written before stay as they are.
ALTER TABLE "audit_entry" ADD COLUMN "version" SMALLINT NOT NULL DEFAULT 1;
ALTER TABLE "audit_entry" ADD COLUMN "key_id" TEXT;
ALTER TABLE "audit_entry" ADD CONSTRAINT "audit_entry_key_of_version" CHECK (("version" = 1) = ("key_id" IS NULL));

-- The seal of a head, made with the same key, so that an earlier head cannot be made up for a truncated chain.
ALTER TABLE "audit_head" ADD COLUMN "key_id" TEXT;
ALTER TABLE "audit_head" ADD COLUMN "seal" BYTEA;
ALTER TABLE "audit_head" ADD CONSTRAINT "audit_head_seal_with_key" CHECK (("key_id" IS NULL) = ("seal" IS NULL));

-- A process of the previous version, still running beside this one, would break a chain that is keyed already: its change is refused
-- as a whole, and can be made again at a process of this version.
CREATE FUNCTION "refuse_unkeyed_audit_entry"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM "audit_entry" WHERE "tenant_id" = NEW."tenant_id" AND "position" = NEW."position" - 1 AND "version" > 1
  ) THEN
    RAISE EXCEPTION 'this audit chain is keyed: an entry without a key cannot follow';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "audit_entry_stays_keyed" BEFORE INSERT ON "audit_entry" FOR EACH ROW WHEN (NEW."version" = 1)
  EXECUTE FUNCTION "refuse_unkeyed_audit_entry"();
