-- CreateEnum
CREATE TYPE "staff_link_kind" AS ENUM ('invitation', 'password_reset');

-- AlterTable
ALTER TABLE "staff_user" ADD COLUMN     "disabled_at" TIMESTAMPTZ(3),
ADD COLUMN     "disabled_by" TEXT,
ADD COLUMN     "two_factor_required" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "staff_link" (
    "id" UUID NOT NULL,
    "kind" "staff_link_kind" NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "staff_id" UUID,
    "grants" JSON NOT NULL,
    "two_factor_required" BOOLEAN NOT NULL DEFAULT false,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "staff_link_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_head" (
    "tenant_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_head_pkey" PRIMARY KEY ("tenant_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "staff_link_token_hash_key" ON "staff_link"("token_hash");

-- CreateIndex
CREATE INDEX "staff_link_email_idx" ON "staff_link"("email");

-- CreateIndex
CREATE INDEX "staff_link_staff_id_idx" ON "staff_link"("staff_id");

-- CreateIndex
CREATE INDEX "audit_entry_tenant_id_object_id_created_at_idx" ON "audit_entry"("tenant_id", "object_id", "created_at");

-- AddForeignKey
ALTER TABLE "staff_link" ADD CONSTRAINT "staff_link_staff_id_fkey" FOREIGN KEY ("staff_id") REFERENCES "staff_user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Chains that were begun before their heads were kept.
INSERT INTO "audit_head" ("tenant_id", "position", "hash", "updated_at")
SELECT DISTINCT ON ("tenant_id") "tenant_id", "position", "hash", "created_at" FROM "audit_entry" ORDER BY "tenant_id", "position" DESC;

-- What has been written stays as it was written, whatever a mistake in the application tries.
CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are only ever added';
END $$;

CREATE TRIGGER "audit_entry_append_only" BEFORE UPDATE OR DELETE ON "audit_entry" FOR EACH ROW EXECUTE FUNCTION "refuse_audit_change"();
CREATE TRIGGER "audit_entry_no_truncate" BEFORE TRUNCATE ON "audit_entry" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
