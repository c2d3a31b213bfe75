// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian
import Testing

@testable import MeridianBench

/// T_m = T_pt x S, and what one screen point is on the ground.
@Suite struct ScreenScaleTests {
  @Test func metresArePointsTimesTheScale() {
    let scale = ScreenScale(zoom: 17, latitude: 52.5)
    #expect(Reach(8, .points).metres(at: scale) == 8 * scale.metresPerPoint)
    #expect(Reach(8, .metres).metres(at: scale) == 8)
    #expect(Reach(14, .points).points(at: scale) == 14)
    #expect(Reach(scale.metresPerPoint, .metres).points(at: scale) == 1)
  }

  /// 78,271.516964 m at the equator, level 0 and 512 points a tile: half of the 156,543.034 m of tiles of 256.
  @Test func theScaleOfWebMercator() {
    #expect(abs(ScreenScale(zoom: 0, latitude: 0).metresPerPoint - 78_271.516964) < 1e-6)
    #expect(abs(ScreenScale(zoom: 0, latitude: 0, tile: 256).metresPerPoint - 156_543.033928) < 1e-6)
    #expect(abs(ScreenScale(zoom: 10, latitude: 60).metresPerPoint - 78_271.516964 / 2048) < 1e-9)
  }

  /// On the ellipsoid the two axes differ: by 0.67% at the equator, by nothing at the poles.
  @Test func theAxesDifferOnTheEllipsoid() {
    func ratio(_ latitude: Double) -> Double {
      let radii = LocalPlane.radii(latitude)
      return radii.parallel / cos(latitude * Double.pi / 180) / radii.meridian
    }
    #expect(abs(ratio(0) - 1.00674) < 1e-5)
    #expect(abs(ratio(89.9) - 1) < 1e-5)
    for latitude in stride(from: -89.0, through: 89, by: 1) {
      #expect((1..<1.0068).contains(ratio(latitude)))
    }
  }

  /// Against published lengths of a degree on WGS84.
  @Test func degreesOfTheLocalPlane() {
    let equator = LocalPlane(longitude: 10, latitude: 0)
    #expect(abs(equator.east - 111_319.491) < 1e-3)
    #expect(abs(equator.north - 110_574.276) < 2e-3)
    let middle = LocalPlane(longitude: 10, latitude: 45)
    // The radius of curvature in the prime vertical there is 6,388,838.290 m.
    #expect(abs(middle.east - 6_388_838.290 * cos(Double.pi / 4) * Double.pi / 180) < 1e-4)
    #expect(middle.x(10) == 0 && middle.y(45) == 0)
  }
}
