import { ChooseMerchant as ChooseAny } from '#/components/choose-merchant/choose-merchant.tsx';
import { PageHead } from '#/components/page/page-head.tsx';

/** Offers the choice of a merchant, because rules belong to one. Keeps the rest of the URL. */
export function ChooseMerchant({ path, doing = null }: { path: string; doing?: 'draft' | null }) {
  const why =
    doing === 'draft'
      ? 'A draft belongs to one merchant and one mode.'
      : 'Each merchant has its own rules for test and for live mode.';
  return (
    <>
      <PageHead title="Rules" />
      <ChooseAny path={path} why={why} figure="rules" />
    </>
  );
}
