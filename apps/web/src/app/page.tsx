export default function Page() {
  return <p>Switchyard</p>;
}
