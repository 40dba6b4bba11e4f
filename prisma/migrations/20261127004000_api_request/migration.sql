-- Requests with API keys, for merchants' developers: kept for some days.
CREATE TABLE "api_request" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "id" UUID NOT NULL,
    "key_id" UUID NOT NULL,
    "request_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "status" SMALLINT,
    "duration_ms" INTEGER NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,
    "payment_id" UUID,
    "request_body" TEXT,
    "response_body" TEXT,

    CONSTRAINT "api_request_pkey" PRIMARY KEY ("merchant_id", "mode", "id")
);

CREATE INDEX "api_request_by_request_id" ON "api_request" ("merchant_id", "request_id");

CREATE INDEX "api_request_refused" ON "api_request" ("merchant_id", "mode", "id") WHERE status >= 400;
