import { NothingHere } from '#/components/page/nothing-here.tsx';

export default function NotFound() {
  return <NothingHere />;
}
