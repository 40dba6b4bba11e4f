import { StorySkeleton } from '../_components/story-skeleton.tsx';

export default function Loading() {
  return <StorySkeleton asPage />;
}
