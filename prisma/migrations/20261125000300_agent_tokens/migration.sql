-- Tokens with which agents act as a staff user, within that user's roles.
CREATE TABLE "agent_token" (
    "id" UUID NOT NULL,
    "public_id" TEXT NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "name" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "staff_id" UUID NOT NULL,
    "may_save_drafts" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" TEXT,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_token_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "agent_token_public_id_key" ON "agent_token"("public_id");
CREATE INDEX "agent_token_created_at_id_idx" ON "agent_token"("created_at", "id");
CREATE INDEX "agent_token_staff_id_created_at_idx" ON "agent_token"("staff_id", "created_at");

-- Whether agents may save drafts and request publication in live mode: off until a person of the merchant switches it on.
ALTER TABLE "merchant" ADD COLUMN "agents_may_write_live" BOOLEAN NOT NULL DEFAULT false;
