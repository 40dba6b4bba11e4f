import { ChooseMerchant as ChooseAny } from '../../../../components/choose-merchant/choose-merchant.tsx';
import { PageHead } from '../../../../components/page-head.tsx';

/** Offers the choice of a merchant, because rules belong to one. Keeps the rest of the URL. */
export function ChooseMerchant({ path, doing = null }: { path: string; doing?: 'draft' | null }) {
  const question = doing === 'draft' ? 'Select a merchant to draft rules for.' : 'Select a merchant.';
  return (
    <>
      <PageHead title="Rules" />
      <ChooseAny path={path} why={`Each merchant has its own rules for test and for live mode. ${question}`} />
    </>
  );
}
