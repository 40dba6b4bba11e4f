CREATE OR REPLACE FUNCTION copy_finance_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO machine_token (id, public_id, secret_hash, name, last_four, staff_id, scopes, merchant_ids, modes, created_at, expires_at,
    revoked_at, revoked_by, last_used_at)
  VALUES (NEW.id, NEW.public_id, NEW.secret_hash, NEW.name, NEW.last_four, NEW.created_by, '{reports}', NEW.merchant_ids, NEW.modes,
    NEW.created_at, NEW.expires_at, NEW.revoked_at, NEW.revoked_by, NEW.last_used_at)
  ON CONFLICT (id) DO UPDATE SET revoked_at = EXCLUDED.revoked_at, revoked_by = EXCLUDED.revoked_by;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION copy_agent_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO machine_token (id, public_id, secret_hash, name, last_four, staff_id, scopes, merchant_ids, modes, created_at, expires_at,
    revoked_at, revoked_by, last_used_at)
  VALUES (NEW.id, NEW.public_id, NEW.secret_hash, NEW.name, NEW.last_four, NEW.staff_id,
    CASE WHEN NEW.may_save_drafts THEN '{tools,drafts}'::machine_scope[] ELSE '{tools}'::machine_scope[] END, '{}', '{}',
    NEW.created_at, NEW.expires_at, NEW.revoked_at, NEW.revoked_by, NEW.last_used_at)
  ON CONFLICT (id) DO UPDATE SET revoked_at = EXCLUDED.revoked_at, revoked_by = EXCLUDED.revoked_by;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION copy_machine_token() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE OR REPLACE TRIGGER finance_token_copy AFTER INSERT OR UPDATE OF "revoked_at" ON "finance_token"
  FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "copy_finance_token"();

CREATE OR REPLACE TRIGGER agent_token_copy AFTER INSERT OR UPDATE OF "revoked_at" ON "agent_token"
  FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "copy_agent_token"();

CREATE OR REPLACE TRIGGER machine_token_copy AFTER INSERT OR UPDATE OF "revoked_at" ON "machine_token"
  FOR EACH ROW WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "copy_machine_token"();
