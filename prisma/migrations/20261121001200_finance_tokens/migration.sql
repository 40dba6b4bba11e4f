-- Tokens with which programs of the finance department ask for reports.
CREATE TABLE "finance_token" (
    "id" UUID NOT NULL,
    "public_id" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "name" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "merchant_ids" UUID[],
    "modes" "mode"[],
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" TEXT,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "finance_token_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "finance_token_public_id_key" ON "finance_token"("public_id");
CREATE INDEX "finance_token_created_at_id_idx" ON "finance_token"("created_at", "id");
