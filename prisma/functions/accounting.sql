-- What was frozen stays: a month is reviewed and signed off, each once, and nothing else of it changes.
CREATE OR REPLACE FUNCTION keep_month_close() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE'
    AND ROW(NEW.merchant_id, NEW.id, NEW.mode, NEW.month, NEW.time_zone, NEW.document, NEW.hash, NEW.closed_by, NEW.closed_at)
      IS NOT DISTINCT FROM
      ROW(OLD.merchant_id, OLD.id, OLD.mode, OLD.month, OLD.time_zone, OLD.document, OLD.hash, OLD.closed_by, OLD.closed_at)
    AND ((OLD.reviewed_at IS NULL AND OLD.signed_at IS NULL) OR ROW(NEW.reviewed_by, NEW.reviewed_at, NEW.review_note)
      IS NOT DISTINCT FROM ROW(OLD.reviewed_by, OLD.reviewed_at, OLD.review_note))
    AND (OLD.signed_at IS NULL OR ROW(NEW.signed_by, NEW.signed_name, NEW.signed_at)
      IS NOT DISTINCT FROM ROW(OLD.signed_by, OLD.signed_name, OLD.signed_at))
  THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'closed months do not change';
END $$;

CREATE OR REPLACE TRIGGER keep_month_close BEFORE UPDATE OR DELETE ON "month_close" FOR EACH ROW EXECUTE FUNCTION keep_month_close();

CREATE OR REPLACE FUNCTION keep_month_close_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'amounts of closed months do not change';
END $$;

CREATE OR REPLACE TRIGGER keep_month_close_item BEFORE UPDATE OR DELETE ON "month_close_item" FOR EACH ROW EXECUTE FUNCTION keep_month_close_item();

-- What was posted stays.
CREATE OR REPLACE FUNCTION keep_late_journal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'journals of late arrivals do not change';
END $$;

CREATE OR REPLACE TRIGGER keep_late_journal BEFORE UPDATE OR DELETE ON "late_journal" FOR EACH ROW EXECUTE FUNCTION keep_late_journal();
CREATE OR REPLACE TRIGGER keep_late_journal_item BEFORE UPDATE OR DELETE ON "late_journal_item" FOR EACH ROW EXECUTE FUNCTION keep_late_journal();
