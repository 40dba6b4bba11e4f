import Link from 'next/link';
import { PageHead } from '../../../../components/page-head.tsx';
import { hrefIn, type Mode } from '../../../../scope/scope.ts';
import classes from './choose-merchant.module.css';

/** Rules belong to one merchant: asks which. */
export function ChooseMerchant({
  merchants,
  mode,
  path,
}: {
  merchants: readonly { readonly merchantId: string; readonly name: string; readonly merchantNumber: string }[];
  mode: Mode;
  path: string;
}) {
  return (
    <>
      <PageHead title="Rules" />
      <p className={classes.lead}>
        {merchants.length === 0
          ? 'There is no merchant yet whose payments could be routed.'
          : 'Each merchant has rules of its own, one set for test and one for live. Whose do you want to see?'}
      </p>
      <ul className={classes.list}>
        {merchants.map(({ merchantId, name, merchantNumber }) => (
          <li key={merchantId}>
            <Link className={classes.merchant} href={hrefIn({ mode, merchantId }, path)}>
              <span className={classes.name}>{name}</span>
              <span className={classes.note}>{merchantNumber}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
