-- AlterTable
ALTER TABLE "accounting_setting" ADD COLUMN     "review_waiver_at" TIMESTAMPTZ(3),
ADD COLUMN     "review_waiver_by" TEXT;

-- AlterTable
ALTER TABLE "refund_control" ADD COLUMN     "waiver_above" BIGINT,
ADD COLUMN     "waiver_at" TIMESTAMPTZ(3),
ADD COLUMN     "waiver_by" TEXT;
