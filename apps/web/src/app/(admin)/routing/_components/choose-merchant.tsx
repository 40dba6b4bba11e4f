import Link from 'next/link';
import { PageHead } from '../../../../components/page-head.tsx';
import { hrefIn, type Mode } from '../../../../scope/scope.ts';
import classes from './choose-merchant.module.css';

/** Rules belong to one merchant: asks which. */
export function ChooseMerchant({
  merchants,
  mode,
  path,
  doing = null,
}: {
  merchants: readonly { readonly merchantId: string; readonly name: string; readonly merchantNumber: string }[];
  mode: Mode;
  path: string;
  /** What is done there at once. */
  doing?: 'draft' | null;
}) {
  const question = doing === 'draft' ? 'Whose do you want to draft?' : 'Whose do you want to see?';
  return (
    <>
      <PageHead title="Rules" />
      <p className={classes.lead}>
        {merchants.length === 0
          ? 'There is no merchant yet whose payments could be routed.'
          : `Each merchant has rules of its own, one set for test and one for live. ${question}`}
      </p>
      <ul className={classes.list}>
        {merchants.map(({ merchantId, name, merchantNumber }) => (
          <li key={merchantId}>
            <Link className={classes.merchant} href={hrefIn({ mode, merchantId }, path, { do: doing })}>
              <span className={classes.name}>{name}</span>
              <span className={classes.note}>{merchantNumber}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
