-- AlterTable
ALTER TABLE "staff_two_factor" ADD COLUMN     "failed_verification_count" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "locked_until" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "staff_sign_in_limit" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "expire" BIGINT,

    CONSTRAINT "staff_sign_in_limit_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "staff_sign_in_limit_expire_idx" ON "staff_sign_in_limit"("expire");

-- Orders are searched by their beginning: byte order lets the unique index answer that, in any locale.
ALTER TABLE "payment" ALTER COLUMN "merchant_order_id" TYPE TEXT COLLATE "C";
