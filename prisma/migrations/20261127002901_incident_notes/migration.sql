-- CreateTable
CREATE TABLE "incident_note" (
    "merchant_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "incident_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "incident_note_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "incident_post_mortem" (
    "merchant_id" UUID NOT NULL,
    "incident_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "updated_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "incident_post_mortem_pkey" PRIMARY KEY ("merchant_id","incident_id")
);

-- CreateIndex
CREATE INDEX "incident_note_merchant_id_incident_id_created_at_id_idx" ON "incident_note"("merchant_id", "incident_id", "created_at", "id");
