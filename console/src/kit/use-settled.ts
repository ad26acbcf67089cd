/** A value once it has stayed the same for a moment: a search that asks while somebody types. */
import { useEffect, useState } from 'react';

export function useSettled<T>(value: T, ms = 250): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
