-- How long each kind of data is kept, where that differs from the default, and how far ageing out has come.
CREATE TABLE "retention_setting" (
    "merchant_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "days" INTEGER NOT NULL,
    "updated_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "retention_setting_pkey" PRIMARY KEY ("merchant_id", "kind")
);

CREATE TABLE "retention_progress" (
    "merchant_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "cursor" UUID,
    "held" UUID[] NOT NULL,
    "removed_in_run" INTEGER NOT NULL,
    "removed_last_run" INTEGER NOT NULL,
    "removed_in_all" BIGINT NOT NULL,
    "last_run_at" TIMESTAMPTZ(3),

    CONSTRAINT "retention_progress_pkey" PRIMARY KEY ("merchant_id", "kind")
);
