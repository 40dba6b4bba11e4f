/**
 * SQL condition: the payment in `payment`, of the merchant in $1, is not finished, and what gateways said about it may still be needed.
 * Until it ended and is no longer watched for late money, and until its review, duplicate charges, refunds, disputes and discrepancies
 * are closed.
 */
export const IS_UNFINISHED = `(
  payment.status IN ('INITIATED', 'PENDING') OR payment.review IS NOT DISTINCT FROM 'OPEN'
  OR EXISTS (SELECT FROM payment_check AS due WHERE due.merchant_id = $1 AND due.payment_id = payment.id)
  OR EXISTS (SELECT FROM duplicate_charge AS charge WHERE charge.merchant_id = $1
    AND charge.payment_id = payment.id AND charge.state IN ('OPEN', 'REFUNDING'))
  OR EXISTS (SELECT FROM refund WHERE refund.merchant_id = $1 AND refund.payment_id = payment.id
    AND (refund.state IN ('REQUESTED', 'PROCESSING', 'NEEDS_ATTENTION') OR refund.state = 'FAILED' AND refund.resolved_at IS NULL))
  OR EXISTS (SELECT FROM dispute WHERE dispute.merchant_id = $1 AND dispute.payment_id = payment.id
    AND dispute.state IN ('NEEDS_RESPONSE', 'UNDER_REVIEW'))
  OR EXISTS (SELECT FROM reconciliation_discrepancy AS found WHERE found.merchant_id = $1
    AND found.payment_id = payment.id AND found.state = 'OPEN')
  OR EXISTS (SELECT FROM settlement_discrepancy AS found WHERE found.merchant_id = $1
    AND found.payment_id = payment.id AND found.state = 'OPEN'))`;
