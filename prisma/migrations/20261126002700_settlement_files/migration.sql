-- AlterTable
ALTER TABLE "settlement" ADD COLUMN     "file_id" UUID;

-- CreateTable
CREATE TABLE "settlement_file" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "account_id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "bytes" INTEGER NOT NULL,
    "mapping" JSONB NOT NULL,
    "rows" INTEGER NOT NULL,
    "settlements" INTEGER NOT NULL,
    "lines" INTEGER NOT NULL,
    "taken_by" TEXT NOT NULL,
    "taken_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settlement_file_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "settlement_profile" (
    "merchant_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "gateway" TEXT NOT NULL,
    "mapping" JSONB NOT NULL,
    "updated_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "settlement_profile_pkey" PRIMARY KEY ("merchant_id","account_id")
);

-- CreateIndex
CREATE INDEX "settlement_file_merchant_id_mode_taken_at_id_idx" ON "settlement_file"("merchant_id", "mode", "taken_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "settlement_file_merchant_id_account_id_hash_key" ON "settlement_file"("merchant_id", "account_id", "hash");
