/** Lists of numbers that grow without an object per entry. */
export class Uint32List {
  #numbers = new Uint32Array(256);
  length = 0;

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Uint32Array(Math.ceil(this.length * 1.5));
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.length++] = number;
  }

  at(index: number): number {
    return this.#numbers[index] as number;
  }

  /** Position of a number in a list that rises, or -1. */
  search(number: number): number {
    let low = 0;
    let high = this.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.#numbers[middle] as number;
      if (found === number) return middle;
      if (found < number) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}

export class Float64List {
  #numbers = new Float64Array(256);
  length = 0;

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Float64Array(Math.ceil(this.length * 1.5));
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.length++] = number;
  }

  at(index: number): number {
    return this.#numbers[index] as number;
  }

  /** Puts another number in the place of one that was pushed. */
  set(index: number, number: number): void {
    this.#numbers[index] = number;
  }
}
