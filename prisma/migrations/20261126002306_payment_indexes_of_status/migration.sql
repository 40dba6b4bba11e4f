SET lock_timeout = '2s';

-- In a new database they went with the column.
DROP INDEX IF EXISTS "payment_merchant_id_mode_created_at_id_idx", "payment_by_time", "payment_by_status";
