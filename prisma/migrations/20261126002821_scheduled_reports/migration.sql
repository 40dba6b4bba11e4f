-- CreateEnum
CREATE TYPE "report_frequency" AS ENUM ('daily', 'weekly', 'monthly');

-- CreateEnum
CREATE TYPE "report_format" AS ENUM ('csv', 'ndjson', 'xlsx');

-- CreateEnum
CREATE TYPE "report_pause" AS ENUM ('person', 'owner_disabled', 'rights_lost');

-- CreateEnum
CREATE TYPE "report_run_state" AS ENUM ('PENDING', 'MADE', 'SENT', 'FAILED');

-- CreateTable
CREATE TABLE "report_schedule" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "name" TEXT NOT NULL,
    "list" TEXT NOT NULL,
    "filter" JSON NOT NULL,
    "format" "report_format" NOT NULL,
    "frequency" "report_frequency" NOT NULL,
    "hour" INTEGER NOT NULL,
    "time_zone" TEXT NOT NULL,
    "recipients" TEXT[],
    "owner_id" UUID NOT NULL,
    "next_day" DATE NOT NULL,
    "next_due_at" TIMESTAMPTZ(3) NOT NULL,
    "paused_at" TIMESTAMPTZ(3),
    "pause" "report_pause",
    "removed_at" TIMESTAMPTZ(3),
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "report_schedule_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "report_run" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "schedule_id" UUID NOT NULL,
    "first_day" DATE NOT NULL,
    "last_day" DATE NOT NULL,
    "request_id" UUID NOT NULL,
    "requested_by" TEXT,
    "state" "report_run_state" NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "error" TEXT,
    "merchant_ids" UUID[],
    "rows" INTEGER,
    "bytes" INTEGER,
    "link_hash" BYTEA,
    "link_expires_at" TIMESTAMPTZ(3),
    "link_revoked_at" TIMESTAMPTZ(3),
    "downloads" INTEGER NOT NULL DEFAULT 0,
    "made_at" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "report_run_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "report_file" (
    "merchant_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "content" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "report_file_pkey" PRIMARY KEY ("merchant_id","run_id")
);

-- CreateIndex
CREATE INDEX "report_schedule_next_due_at_idx" ON "report_schedule"("next_due_at");

-- CreateIndex
CREATE UNIQUE INDEX "report_run_link_hash_key" ON "report_run"("link_hash");

-- CreateIndex
CREATE INDEX "report_run_next_attempt_at_idx" ON "report_run"("next_attempt_at");

-- CreateIndex
CREATE UNIQUE INDEX "report_run_of_period" ON "report_run"("merchant_id", "schedule_id", "first_day", "last_day", "request_id");

-- Files are compressed already.
ALTER TABLE "report_file" ALTER COLUMN "content" SET STORAGE EXTERNAL;

-- Enum columns are read as the others are: by a cast to text that counts as immutable, which Citus needs.
CREATE CAST ("report_frequency" AS TEXT) WITH FUNCTION enum_label(ANYENUM);
CREATE CAST ("report_format" AS TEXT) WITH FUNCTION enum_label(ANYENUM);
CREATE CAST ("report_pause" AS TEXT) WITH FUNCTION enum_label(ANYENUM);
CREATE CAST ("report_run_state" AS TEXT) WITH FUNCTION enum_label(ANYENUM);
