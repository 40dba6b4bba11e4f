CREATE OR REPLACE FUNCTION keep_dispute_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the history of a dispute does not change';
END $$;

CREATE OR REPLACE TRIGGER keep_dispute_event BEFORE UPDATE ON "dispute_event" FOR EACH ROW EXECUTE FUNCTION keep_dispute_event();
