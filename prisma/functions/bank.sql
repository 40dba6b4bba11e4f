-- A line is a fact of the bank's: only the statement that is named for it changes, when that one is withdrawn and another has the line too.
CREATE OR REPLACE FUNCTION keep_bank_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.merchant_id, OLD.id, OLD.mode, OLD.bank_account, OLD.booked_on, OLD.amount, OLD.currency, OLD.text, OLD.dedupe_key, OLD.created_at)
    IS DISTINCT FROM
    (NEW.merchant_id, NEW.id, NEW.mode, NEW.bank_account, NEW.booked_on, NEW.amount, NEW.currency, NEW.text, NEW.dedupe_key, NEW.created_at)
  THEN
    RAISE EXCEPTION 'lines of bank statements do not change';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER keep_bank_line BEFORE UPDATE ON "bank_line" FOR EACH ROW EXECUTE FUNCTION keep_bank_line();
