-- Disputes with their history, evidence, answers, and when they were read.
SET lock_timeout = '2s';

CREATE TYPE "dispute_due_source" AS ENUM ('GATEWAY', 'RULE', 'STAFF');
CREATE TYPE "dispute_response_action" AS ENUM ('ACCEPT', 'CONTEST');
CREATE TYPE "dispute_response_state" AS ENUM ('SENDING', 'SENT', 'UNKNOWN', 'REFUSED', 'RECORDED');

-- A constant default: no row is rewritten.
ALTER TABLE "dispute"
  ADD COLUMN "stage" TEXT,
  ADD COLUMN "fee" DECIMAL(30,6),
  ADD COLUMN "due_source" "dispute_due_source",
  ADD COLUMN "manual" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "dispute_event" (
  "merchant_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "dispute_id" UUID NOT NULL,
  "type" TEXT NOT NULL,
  "actor" TEXT,
  "state" "dispute_state" NOT NULL,
  "detail" JSON NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "dispute_event_pkey" PRIMARY KEY ("merchant_id", "id")
);
-- The history of a dispute.
CREATE INDEX "dispute_event_merchant_id_dispute_id_id_idx" ON "dispute_event" ("merchant_id", "dispute_id", "id");

CREATE TABLE "dispute_evidence" (
  "merchant_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "dispute_id" UUID NOT NULL,
  "file_name" TEXT NOT NULL,
  "media_type" TEXT NOT NULL,
  "size_bytes" INTEGER NOT NULL,
  "digest" TEXT NOT NULL,
  "content" BYTEA NOT NULL,
  "uploaded_by" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "dispute_evidence_pkey" PRIMARY KEY ("merchant_id", "id")
);
-- The evidence of a dispute.
CREATE INDEX "dispute_evidence_merchant_id_dispute_id_id_idx" ON "dispute_evidence" ("merchant_id", "dispute_id", "id");

CREATE TABLE "dispute_response" (
  "merchant_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "dispute_id" UUID NOT NULL,
  "stage" TEXT NOT NULL,
  "action" "dispute_response_action" NOT NULL,
  "state" "dispute_response_state" NOT NULL,
  "amount" DECIMAL(30,6),
  "message" TEXT NOT NULL,
  "customer_name" TEXT,
  "service" TEXT,
  "evidence_id" UUID,
  "uploaded_as" TEXT,
  "attempted_at" TIMESTAMPTZ(3),
  "failure" TEXT,
  "requested_by" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "dispute_response_pkey" PRIMARY KEY ("merchant_id", "id")
);
-- The answers to a dispute.
CREATE INDEX "dispute_response_merchant_id_dispute_id_idx" ON "dispute_response" ("merchant_id", "dispute_id");
-- A dispute is answered once.
CREATE UNIQUE INDEX "dispute_response_once" ON "dispute_response" ("merchant_id", "dispute_id", "stage") WHERE "state" <> 'REFUSED';

CREATE TABLE "dispute_source" (
  "merchant_id" UUID NOT NULL,
  "account_id" UUID NOT NULL,
  "read_to" TIMESTAMPTZ(3),
  "next_poll_at" TIMESTAMPTZ(3),
  "failure" TEXT,
  "failed_at" TIMESTAMPTZ(3),
  CONSTRAINT "dispute_source_pkey" PRIMARY KEY ("merchant_id", "account_id")
);

CREATE FUNCTION keep_dispute_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the history of a dispute does not change';
END $$;
CREATE TRIGGER keep_dispute_event BEFORE UPDATE ON "dispute_event" FOR EACH ROW EXECUTE FUNCTION keep_dispute_event();

-- Read as the other enums are: by a cast to text that counts as immutable, which Citus needs.
DO $$
DECLARE
  enum REGTYPE;
BEGIN
  FOR enum IN
    SELECT type.oid FROM pg_type AS type JOIN pg_namespace ON pg_namespace.oid = typnamespace
    WHERE typtype = 'e' AND nspname = current_schema()
      AND NOT EXISTS (SELECT FROM pg_cast WHERE castsource = type.oid AND casttarget = 'text'::regtype)
  LOOP
    EXECUTE format('CREATE CAST (%s AS TEXT) WITH FUNCTION enum_label(ANYENUM)', enum);
  END LOOP;
END $$;
