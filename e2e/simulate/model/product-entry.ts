/* Use cases that the model drives. Bundled, and evaluated anew for each process, so that no two share module state. */

export { findPayment } from '@switchyard/payments';
export { openPayments } from '@switchyard/payments/context';
export { openWebhookFollower, receiveGatewayWebhook } from '@switchyard/payments/gateway-webhooks';
export { initiate, takeOverInitiation } from '@switchyard/payments/initiate';
export { followRefunds, refundDuplicate, requestRefund, sendRefund } from '@switchyard/payments/refunds';
export { settleOverdue } from '@switchyard/payments/sweeping';
export { verify, verifyAttempt } from '@switchyard/payments/verify';
export { matchSettlementLines } from '@switchyard/settlements/matching';
export { openDispatcher } from '@switchyard/webhooks/deliveries';
