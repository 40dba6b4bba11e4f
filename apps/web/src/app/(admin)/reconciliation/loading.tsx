import { PageHead } from '../../../components/page-head.tsx';
import classes from './_components/reconciliation-page.module.css';

export default function Loading() {
  return (
    <>
      <PageHead title="Reconciliation" />
      <div className={classes.skeleton} aria-hidden="true" />
    </>
  );
}
