-- AlterTable
ALTER TABLE "settlement" ADD COLUMN     "explained" DECIMAL(30,6) NOT NULL DEFAULT 0,
ADD COLUMN     "line_count" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "unexplained" DECIMAL(30,6) NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "settlement_line" ADD COLUMN     "subjects" TEXT[];

-- AlterTable
ALTER TABLE "settlement_source" ADD COLUMN     "matched_at" TIMESTAMPTZ(3),
ADD COLUMN     "read_from" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "settlement_line_merchant_id_account_id_linked_by_id_idx" ON "settlement_line"("merchant_id", "account_id", "linked_by", "id");

-- CreateIndex
CREATE INDEX "settlement_discrepancy_merchant_id_payment_id_idx" ON "settlement_discrepancy"("merchant_id", "payment_id");
