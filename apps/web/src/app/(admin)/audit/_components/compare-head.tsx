'use client';

import * as z from 'zod/mini';
import { Button } from '#/components/button/button.tsx';
import { Form } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import type { CheckedChain, SavedChainHead } from './use-audit.ts';

const HEAD = /^(workspace|[0-9a-f-]{36}):(\d{1,10}):([0-9a-f]{64})$/;
/** A head as it is copied. */
const schema = z.object({
  head: z.pipe(
    z.string().check(z.trim(), z.regex(HEAD, 'must be a head as it is copied above')),
    z.transform((text) => {
      const [of = '', position = '', hash = ''] = text.split(':');
      return { of, position: Number(position), hash };
    }),
  ),
});

/** Compares a head that was stored elsewhere with its log. */
export function CompareHead({
  chains,
  running,
  onCompare,
}: {
  chains: readonly CheckedChain[];
  running: boolean;
  onCompare: (chain: CheckedChain, kept: SavedChainHead) => void;
}) {
  const form = useForm({
    schema,
    values: { head: '' },
    onSubmit({ head: { of, position, hash } }) {
      const chain = chains.find(({ merchantId }) => (merchantId ?? 'workspace') === of);
      if (chain === undefined) return [{ field: 'head', message: 'must be of one of the logs above' }];
      onCompare(chain, { position, hash });
      return null;
    },
  });
  return (
    <Form form={form} className="grid grid-cols-[minmax(0,620px)_max-content] gap-2 items-start [&_button]:mt-5" warns={false}>
      <form.Text name="head" label="A head you saved" maxLength={130} />
      <Button type="submit" loading={running} disabled={form.entered.head.trim() === ''}>
        Compare
      </Button>
    </Form>
  );
}
