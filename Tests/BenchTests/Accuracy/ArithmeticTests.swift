// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MeridianBench

@Suite struct ArithmeticTests {
  private func near(_ value: DoubleDouble, _ high: Double, _ low: Double) -> Bool {
    let difference = value - DoubleDouble(high, low)
    return abs(difference.high) <= 1e-30 * max(1, abs(high))
  }

  @Test func rootsAndQuotients() {
    // sqrt(2) and 1/3 to 32 digits.
    #expect(near(DoubleDouble(2).squareRoot(), 1.4142135623730951, -9.667293313452913e-17))
    #expect(near(DoubleDouble(1) / DoubleDouble(3), 0.3333333333333333, 1.850371707708594e-17))
    #expect(DoubleDouble.sum(1e16, 1) == DoubleDouble(1e16, 1))
    let square = DoubleDouble.product(1 + 0x1p-40, 1 + 0x1p-40)
    #expect(square.high == 1 + 0x1p-39 && square.low == 0x1p-80)
  }

  @Test func sinesOfKnownAngles() {
    let half = DoubleDouble.sineCosine(degrees: 30)
    #expect(near(half.sine, 0.5, 0))
    #expect(near(DoubleDouble.sineCosine(degrees: 45).cosine, 0.7071067811865476, -4.833646656726457e-17))
    for degrees in [0.0, 90, 180, 270, 360, -90, 720] {
      let value = DoubleDouble.sineCosine(degrees: degrees)
      #expect(value.sine.high == value.sine.high.rounded() && value.cosine.high == value.cosine.high.rounded())
    }
    // Of one radian.
    let one = DoubleDouble.sineCosine(radians: DoubleDouble(1))
    #expect(near(one.sine, 0.8414709848078965, 1.776845092935536e-18))
    var random = SeededRandom(seed: 12)
    for _ in 0..<200 {
      let degrees = random.uniform(-1000, 1000)
      let value = DoubleDouble.sineCosine(degrees: degrees)
      let unit = value.sine * value.sine + value.cosine * value.cosine
      #expect(near(unit, 1, 0), "\(degrees)")
      let turned = DoubleDouble.sineCosine(radians: DoubleDouble(degrees) * .radiansPerDegree)
      #expect(abs((turned.sine - value.sine).high) < 1e-28, "\(degrees)")
    }
  }

  @Test func arcTangentsUndoSines() {
    var random = SeededRandom(seed: 13)
    for _ in 0..<200 {
      let angle = DoubleDouble(random.uniform(-3.14, 3.14))
      let value = DoubleDouble.sineCosine(radians: angle)
      let back = DoubleDouble.arcTangent(value.sine, value.cosine)
      #expect(abs((back - angle).high) < 1e-30, "\(angle.high)")
    }
    #expect(
      near(DoubleDouble.arcTangent(DoubleDouble(1), DoubleDouble(1)) * 4, DoubleDouble.pi.high, DoubleDouble.pi.low))
  }

  @Test func sidesAreThoseOfRealArithmetic() {
    // The middle of a segment, moved by one ulp: plain doubles see nothing.
    let (a, b) = (Place(12.1, 12.1), Place(24.3, 24.3))
    #expect(Place.side(a, b, Place(18, 18)) == 0)
    #expect(Place.side(a, b, Place(18, 18.nextUp)) == 1)
    #expect(Place.side(a, b, Place(18, 18.nextDown)) == -1)
    #expect(Place.side(Place(0.5, 0.5), Place(12, 12), Place(24, 24.nextUp)) == 1)
  }

  @Test func segmentsMeetAndCross() {
    let base = Segment(Place(0, 0), Place(4, 0))
    #expect(base.crosses(Segment(Place(1, -1), Place(1, 1))))
    #expect(!base.crosses(Segment(Place(1, 0), Place(1, 1))) && base.meets(Segment(Place(1, 0), Place(1, 1))))
    #expect(base.meets(Segment(Place(4, 0), Place(9, 0))) && !base.meets(Segment(Place(4.1, 0), Place(9, 0))))
    #expect(base.exactDistance(to: Place(2, 3)).high == 3 && base.exactDistance(to: Place(7, 4)).high == 5)
    #expect(base.exactDistance(to: Place(-3, 4)).high == 5 && base.distance(to: Place(2, -3)) == 3)
    #expect(Segment(Place(1, 1), Place(1, 1)).exactDistance(to: Place(4, 5)).high == 5)
  }

  @Test func simpleRings() {
    func ring(_ numbers: [(Double, Double)]) -> [Place] { numbers.map { Place($0.0, $0.1) } }
    #expect(BruteForceValidity.isSimple(ring([(0, 0), (4, 0), (4, 4), (0, 0)])))
    #expect(BruteForceValidity.isSimple(ring([(0, 0), (4, 0), (4, 0), (4, 4), (0, 0)])))
    // A bow-tie, a touch, a spike, an edge run twice, open, flat.
    #expect(!BruteForceValidity.isSimple(ring([(0, 0), (4, 4), (4, 0), (0, 4), (0, 0)])))
    #expect(!BruteForceValidity.isSimple(ring([(0, 0), (4, 0), (2, 2), (4, 4), (0, 4), (2, 2), (0, 0)])))
    #expect(!BruteForceValidity.isSimple(ring([(0, 0), (4, 0), (6, 0), (4, 0), (4, 4), (0, 0)])))
    #expect(!BruteForceValidity.isSimple(ring([(0, 0), (4, 0), (4, 4), (0, 1)])))
    #expect(!BruteForceValidity.isSimple(ring([(0, 0), (4, 0), (2, 0), (0, 0)])))
    #expect(!BruteForceValidity.isSimple(ring([(0, 0), (4, .nan), (2, 2), (0, 0)])))
  }
}
