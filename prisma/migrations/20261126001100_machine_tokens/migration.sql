-- One table for the tokens of programs, in place of one for reports and one for agents. The version before runs beside this one and goes on
-- with its own two: triggers copy to the other side what either issues and revokes. They and the two tables go with the next release.
SET lock_timeout = '2s';

CREATE TYPE "machine_scope" AS ENUM ('tools', 'drafts', 'reports');

CREATE TABLE "machine_token" (
  "id" UUID NOT NULL,
  "public_id" TEXT NOT NULL,
  "secret_hash" BYTEA NOT NULL,
  "name" TEXT NOT NULL,
  "last_four" TEXT NOT NULL,
  "staff_id" UUID NOT NULL,
  "scopes" "machine_scope"[],
  "merchant_ids" UUID[],
  "modes" "mode"[],
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "revoked_at" TIMESTAMPTZ(3),
  "revoked_by" TEXT,
  "last_used_at" TIMESTAMPTZ(3),
  CONSTRAINT "machine_token_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "machine_token_public_id_key" ON "machine_token" ("public_id");
CREATE INDEX "machine_token_created_at_id_idx" ON "machine_token" ("created_at", "id");
CREATE INDEX "machine_token_staff_id_created_at_idx" ON "machine_token" ("staff_id", "created_at");

CREATE FUNCTION "copy_finance_token"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO machine_token (id, public_id, secret_hash, name, last_four, staff_id, scopes, merchant_ids, modes, created_at, expires_at,
    revoked_at, revoked_by, last_used_at)
  VALUES (NEW.id, NEW.public_id, NEW.secret_hash, NEW.name, NEW.last_four, NEW.created_by, '{reports}', NEW.merchant_ids, NEW.modes,
    NEW.created_at, NEW.expires_at, NEW.revoked_at, NEW.revoked_by, NEW.last_used_at)
  ON CONFLICT (id) DO UPDATE SET revoked_at = EXCLUDED.revoked_at, revoked_by = EXCLUDED.revoked_by;
  RETURN NULL;
END $$;

CREATE FUNCTION "copy_agent_token"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO machine_token (id, public_id, secret_hash, name, last_four, staff_id, scopes, merchant_ids, modes, created_at, expires_at,
    revoked_at, revoked_by, last_used_at)
  VALUES (NEW.id, NEW.public_id, NEW.secret_hash, NEW.name, NEW.last_four, NEW.staff_id,
    CASE WHEN NEW.may_save_drafts THEN '{tools,drafts}'::machine_scope[] ELSE '{tools}'::machine_scope[] END, '{}', '{}',
    NEW.created_at, NEW.expires_at, NEW.revoked_at, NEW.revoked_by, NEW.last_used_at)
  ON CONFLICT (id) DO UPDATE SET revoked_at = EXCLUDED.revoked_at, revoked_by = EXCLUDED.revoked_by;
  RETURN NULL;
END $$;

CREATE FUNCTION "copy_machine_token"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF 'reports' = ANY (NEW.scopes) THEN
    INSERT INTO finance_token (id, public_id, secret_hash, name, last_four, merchant_ids, modes, created_by, created_at, expires_at,
      revoked_at, revoked_by, last_used_at)
    VALUES (NEW.id, NEW.public_id, NEW.secret_hash, NEW.name, NEW.last_four, NEW.merchant_ids, NEW.modes, NEW.staff_id, NEW.created_at,
      NEW.expires_at, NEW.revoked_at, NEW.revoked_by, NEW.last_used_at)
    ON CONFLICT (id) DO UPDATE SET revoked_at = EXCLUDED.revoked_at, revoked_by = EXCLUDED.revoked_by;
  END IF;
  IF 'tools' = ANY (NEW.scopes) THEN
    INSERT INTO agent_token (id, public_id, secret_hash, name, last_four, staff_id, may_save_drafts, created_at, expires_at, revoked_at,
      revoked_by, last_used_at)
    VALUES (NEW.id, NEW.public_id, NEW.secret_hash, NEW.name, NEW.last_four, NEW.staff_id, 'drafts' = ANY (NEW.scopes), NEW.created_at,
      NEW.expires_at, NEW.revoked_at, NEW.revoked_by, NEW.last_used_at)
    ON CONFLICT (id) DO UPDATE SET revoked_at = EXCLUDED.revoked_at, revoked_by = EXCLUDED.revoked_by;
  END IF;
  RETURN NULL;
END $$;

-- The triggers come first: creating one waits for what is being written, and what is written later is copied by it.
CREATE TRIGGER "finance_token_copy" AFTER INSERT OR UPDATE OF "revoked_at" ON "finance_token"
  FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "copy_finance_token"();
CREATE TRIGGER "agent_token_copy" AFTER INSERT OR UPDATE OF "revoked_at" ON "agent_token"
  FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "copy_agent_token"();

INSERT INTO "machine_token" ("id", "public_id", "secret_hash", "name", "last_four", "staff_id", "scopes", "merchant_ids", "modes",
  "created_at", "expires_at", "revoked_at", "revoked_by", "last_used_at")
SELECT "id", "public_id", "secret_hash", "name", "last_four", "created_by", '{reports}'::machine_scope[], "merchant_ids", "modes",
  "created_at", "expires_at", "revoked_at", "revoked_by", "last_used_at"
FROM "finance_token"
UNION ALL
SELECT "id", "public_id", "secret_hash", "name", "last_four", "staff_id",
  CASE WHEN "may_save_drafts" THEN '{tools,drafts}'::machine_scope[] ELSE '{tools}'::machine_scope[] END, '{}', '{}',
  "created_at", "expires_at", "revoked_at", "revoked_by", "last_used_at"
FROM "agent_token";

CREATE TRIGGER "machine_token_copy" AFTER INSERT OR UPDATE OF "revoked_at" ON "machine_token"
  FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "copy_machine_token"();

-- Saved views of the two lists are views of the one list.
INSERT INTO "saved_view" ("id", "page", "name", "owner_id", "query", "shared", "created_at", "updated_at")
SELECT gen_random_uuid(), 'machine-tokens', "name", "owner_id", "query", "shared", "created_at", "updated_at"
FROM "saved_view" WHERE "page" IN ('finance-tokens', 'agent-tokens')
ON CONFLICT ("page", "owner_id", "name") DO NOTHING;
