-- Where health draws its lines can be changed per merchant and mode; only what differs from the defaults is kept.

CREATE TABLE "health_threshold_set" (
    "merchant_id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "changes" JSON NOT NULL,
    "revision" INTEGER NOT NULL,
    "updated_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "health_threshold_set_pkey" PRIMARY KEY ("merchant_id","mode")
);
