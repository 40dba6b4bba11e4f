-- What staff write on payments, the lists they come back to, and indexes for what lists are narrowed by.

CREATE TABLE "payment_note" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_note_pkey" PRIMARY KEY ("merchant_id","id")
);

CREATE INDEX "payment_note_merchant_id_payment_id_created_at_id_idx" ON "payment_note"("merchant_id", "payment_id", "created_at", "id");

CREATE TABLE "saved_view" (
    "id" UUID NOT NULL,
    "page" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "owner_id" UUID NOT NULL,
    "shared" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_view_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "saved_view_page_owner_id_name_key" ON "saved_view"("page", "owner_id", "name");
CREATE INDEX "saved_view_page_shared_idx" ON "saved_view"("page", "shared");

ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Each leads to few payments of many, in the order of lists. What matches many is read from the list's own order.
CREATE INDEX "payment_by_status" ON "payment" ("merchant_id", "mode", "status", "created_at", "id");
CREATE INDEX "payment_by_rule" ON "payment" ("merchant_id", "mode", "rule_id", "created_at", "id");
CREATE INDEX "payment_by_amount" ON "payment" ("merchant_id", "mode", "amount");
CREATE INDEX "payment_by_email" ON "payment" ("merchant_id", "mode", lower("customer_email"), "created_at", "id");
CREATE INDEX "payment_by_customer" ON "payment" ("merchant_id", "mode", "customer_id", "created_at", "id") WHERE "customer_id" IS NOT NULL;

-- What a gateway sent is looked up under the reference it speaks of.
CREATE INDEX "gateway_webhook_by_reference" ON "gateway_webhook" ("merchant_id", "account_id", "reference") WHERE "reference" IS NOT NULL;
