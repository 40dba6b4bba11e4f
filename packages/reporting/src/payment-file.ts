import type { FileQuery } from './list-file.ts';
import { PAYMENT_FILE_COLUMNS, PAYMENT_LIST_COLUMNS } from './payment-file-columns.ts';
import { conditions, type PaymentKeysFilter } from './payment-keys.ts';

/** A file of a filter's payments. */
export function paymentFile(filter: PaymentKeysFilter): FileQuery {
  return {
    merchantIds: filter.merchantIds,
    from: 'payment AS p',
    columns: PAYMENT_FILE_COLUMNS,
    moreColumns: PAYMENT_LIST_COLUMNS,
    order: 'time',
    conditions: (bind) => conditions(filter, bind),
  };
}
