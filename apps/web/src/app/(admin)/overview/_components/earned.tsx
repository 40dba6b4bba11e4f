'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCanHere } from '#/trpc/use-can.ts';

const Sentence = dynamic(() =>
  import('#/app/(admin)/routing/_components/earned/earned-sentence.tsx').then((module) => module.EarnedSentence),
);

/** The latest earnings of routing, of the merchant whose overview it is; nothing where no customers were held out, and for who may not see money. */
export function Earned() {
  const trpc = useTRPC();
  const { merchantId, mode } = useScope();
  const may = useCanHere()('report:read');
  const { data } = useQuery(
    trpc.routing.earned.queryOptions(
      { merchantId: merchantId ?? '', mode },
      { enabled: may && merchantId !== null, staleTime: 60_000 },
    ),
  );
  const [latest] = data ?? [];
  return latest === undefined ? null : <Sentence month={latest} />;
}
