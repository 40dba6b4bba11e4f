-- AlterTable
ALTER TABLE "settlement_source" ADD COLUMN     "judged_at" TIMESTAMPTZ(3);
