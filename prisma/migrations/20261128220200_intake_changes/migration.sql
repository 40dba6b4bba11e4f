-- AlterEnum
ALTER TYPE "settlement_status" ADD VALUE 'WITHDRAWN';
