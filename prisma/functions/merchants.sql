-- Processes of 0.1.0 that still run add merchants and know nothing of tenants. Goes with the next release.
CREATE OR REPLACE FUNCTION add_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tenant VALUES (NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER merchant_add_tenant AFTER INSERT ON "merchant" FOR EACH ROW EXECUTE FUNCTION "add_tenant"();
