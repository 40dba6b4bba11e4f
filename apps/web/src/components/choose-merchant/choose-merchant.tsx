'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { hrefIn } from '../../scope/scope.ts';
import { useScope } from '../../scope/use-scope.ts';
import { useTRPC } from '../../trpc/client.tsx';
import classes from './choose-merchant.module.css';

/** Offers the choice of a merchant on a page that is about one. Keeps the rest of the URL. */
export function ChooseMerchant({ path, why }: { path: string; why: string }) {
  const trpc = useTRPC();
  const scope = useScope();
  const asked = Object.fromEntries(useSearchParams());
  const { data } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  return (
    <section aria-label="Merchants">
      <p className={classes.reason}>{why}</p>
      {data?.length === 0 && <p className={classes.reason}>There is no merchant yet.</p>}
      <ul className={classes.merchants}>
        {data?.map(({ merchantId, name, merchantNumber }) => (
          <li key={merchantId}>
            <Link className={classes.merchant} href={hrefIn(scope, path, { ...asked, mode: scope.mode, merchant: merchantId })}>
              {name}
              <span className={classes.number}>{merchantNumber}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
