-- Refunds that need a second person, until they are approved, declined or withdrawn.
SET lock_timeout = '2s';

CREATE TYPE "refund_approval_state" AS ENUM ('WAITING', 'APPROVED', 'DECLINED', 'WITHDRAWN');

CREATE TABLE "refund_approval" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "payment_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" UUID,
    "amount" BIGINT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "gateway" TEXT NOT NULL,
    "reason" TEXT,
    "reason_code" TEXT,
    "note" TEXT,
    "state" "refund_approval_state" NOT NULL,
    "requested_by" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_by" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "decision_note" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "refund_approval_pkey" PRIMARY KEY ("merchant_id", "id")
);

CREATE INDEX "refund_approval_merchant_id_mode_created_at_id_idx" ON "refund_approval"("merchant_id", "mode", "created_at", "id");

CREATE INDEX "refund_approval_merchant_id_payment_id_idx" ON "refund_approval"("merchant_id", "payment_id");
