// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// The options of a measure call with absent members zero; nil, with the call's error filled, when they end in something
/// that this version does not know.
public func knownMeasureOptions(
  _ pointer: UnsafePointer<mrd_measure_options>?, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_measure_options? {
  guard let options = knownOptions(pointer, zero: mrd_measure_options(), call) else { return nil }
  guard options.flags & ~MRD_MEASURE_BROADCAST_B == 0 else {
    _ = fail(call, MRD_E_UNSUPPORTED, "an option flag is not known")
    return nil
  }
  guard options.side == MRD_SIDE_SMALLER || options.side == MRD_SIDE_LEFT else {
    _ = fail(call, MRD_E_ARGUMENT, "side is neither SMALLER nor LEFT")
    return nil
  }
  return options
}

/// The operations of `measure` that every surface has.
public func measure<S: AreaSurface>(
  _ surface: S, _ op: UInt32, _ geoms: Geoms, _ options: mrd_measure_options, _ columns: Columns,
  _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  switch op {
  case MRD_MEASURE_LENGTH: measureLengths(surface, geoms, columns, call, lines: true)
  case MRD_MEASURE_PERIMETER: measureLengths(surface, geoms, columns, call, lines: false)
  case MRD_MEASURE_AREA: measureAreas(surface, geoms, columns, call, signed: false, side: options.side)
  case MRD_MEASURE_AREA_SIGNED: measureAreas(surface, geoms, columns, call, signed: true, side: options.side)
  case MRD_MEASURE_PERIMETER_AREA: measurePerimeterAreas(surface, geoms, columns, call, side: options.side)
  case MRD_MEASURE_INTERPOLATE: measureInterpolate(surface, geoms, options, columns, call)
  default: fail(call, MRD_E_UNSUPPORTED, "not an operation of this kernel")
  }
}

/// The operations of `pair` that every surface has.
public func pair<S: ShortestLineSurface>(
  _ surface: S, _ op: UInt32, _ pairs: PairedGeoms, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  switch op {
  case MRD_MEASURE_INVERSE: pairInverse(surface, pairs, columns, call)
  case MRD_MEASURE_DISTANCE: pairDistance(surface, pairs, columns, call)
  default: fail(call, MRD_E_UNSUPPORTED, "not an operation of this kernel")
  }
}
