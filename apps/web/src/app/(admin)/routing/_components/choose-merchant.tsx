import { ChooseMerchant as ChooseAny } from '../../../../components/choose-merchant/choose-merchant.tsx';
import { PageHead } from '../../../../components/page-head.tsx';

/** Offers the choice of a merchant, because rules belong to one. Keeps the rest of the URL. */
export function ChooseMerchant({ path, doing = null }: { path: string; doing?: 'draft' | null }) {
  const question = doing === 'draft' ? 'Whose do you want to draft?' : 'Whose do you want to see?';
  return (
    <>
      <PageHead title="Rules" />
      <ChooseAny path={path} why={`Each merchant has rules of its own, one set for test and one for live. ${question}`} />
    </>
  );
}
