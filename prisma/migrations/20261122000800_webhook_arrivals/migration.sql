-- Whether the webhooks of a gateway account arrive: open payments of one whose webhooks do are asked about less often.
CREATE TABLE "webhook_arrival" (
    "merchant_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "arrived_at" TIMESTAMPTZ(3),
    "missed_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_arrival_pkey" PRIMARY KEY ("merchant_id", "account_id")
);

-- Accounts that have received webhooks go on as they are.
INSERT INTO "webhook_arrival" ("merchant_id", "account_id", "arrived_at")
  SELECT "merchant_id", "account_id", max("received_at") FROM "gateway_webhook" WHERE "state" <> 'IGNORED' GROUP BY 1, 2;
