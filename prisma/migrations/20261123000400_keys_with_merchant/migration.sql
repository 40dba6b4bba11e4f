-- Every key of a table that has a merchant holds the merchant, and none changes it: so the tables can be distributed by merchant over
-- several servers. Ids of merchants and payments are never updated.

ALTER TABLE payment_rollup_change DROP CONSTRAINT payment_rollup_change_pkey, ADD PRIMARY KEY (merchant_id, id);
ALTER TABLE attempt_rollup_change DROP CONSTRAINT attempt_rollup_change_pkey, ADD PRIMARY KEY (merchant_id, id);
ALTER TABLE attempt DROP CONSTRAINT attempt_merchant_id_payment_id_fkey, ADD CONSTRAINT attempt_merchant_id_payment_id_fkey
  FOREIGN KEY (merchant_id, payment_id) REFERENCES payment (merchant_id, id) ON UPDATE NO ACTION ON DELETE RESTRICT;
ALTER TABLE refund DROP CONSTRAINT refund_merchant_id_payment_id_fkey, ADD CONSTRAINT refund_merchant_id_payment_id_fkey
  FOREIGN KEY (merchant_id, payment_id) REFERENCES payment (merchant_id, id) ON UPDATE NO ACTION ON DELETE RESTRICT;
ALTER TABLE timeline_event DROP CONSTRAINT timeline_event_merchant_id_payment_id_fkey, ADD CONSTRAINT timeline_event_merchant_id_payment_id_fkey
  FOREIGN KEY (merchant_id, payment_id) REFERENCES payment (merchant_id, id) ON UPDATE NO ACTION ON DELETE RESTRICT;
