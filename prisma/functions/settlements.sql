-- A line is a fact of the gateway's: only what it is linked to changes.
CREATE OR REPLACE FUNCTION keep_settlement_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.settlement_id, OLD.account_id, OLD.position, OLD.kind, OLD.amount, OLD.currency, OLD.reference, OLD.transaction_id, OLD.description, OLD.occurred_at)
    IS DISTINCT FROM
    (NEW.settlement_id, NEW.account_id, NEW.position, NEW.kind, NEW.amount, NEW.currency, NEW.reference, NEW.transaction_id, NEW.description, NEW.occurred_at)
  THEN
    RAISE EXCEPTION 'settlement lines do not change';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER keep_settlement_line BEFORE UPDATE ON "settlement_line" FOR EACH ROW EXECUTE FUNCTION keep_settlement_line();

-- A contract is what decisions were taken from and fees compared with.
CREATE OR REPLACE FUNCTION keep_fee_contract() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'contracts do not change';
END $$;

CREATE OR REPLACE TRIGGER keep_fee_contract BEFORE UPDATE ON "fee_contract" FOR EACH ROW EXECUTE FUNCTION keep_fee_contract();
