import { NothingHere } from '../../components/nothing-here.tsx';

export default function NotFound() {
  return <NothingHere />;
}
