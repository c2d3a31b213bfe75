// SPDX-License-Identifier: Apache-2.0

/// The SQL of OGC 12-128 that a new GeoPackage needs.
enum GeoPackageSchema {
  /// "GPKG"; the version is 1.3, the last that readers of 2022 take without a warning.
  static let create = """
    PRAGMA application_id = 1196444487;
    PRAGMA user_version = 10300;
    CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY,
      organization TEXT NOT NULL, organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT);
    CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,
      description TEXT DEFAULT '', last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
      min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
      CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
    CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL,
      geometry_type_name TEXT NOT NULL, srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL,
      CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name), CONSTRAINT uk_gc_table_name UNIQUE (table_name),
      CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
      CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id));
    CREATE TABLE gpkg_extensions (table_name TEXT, column_name TEXT, extension_name TEXT NOT NULL,
      definition TEXT NOT NULL, scope TEXT NOT NULL,
      CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name));
    """

  static let insertReference = """
    INSERT OR IGNORE INTO gpkg_spatial_ref_sys (srs_name, srs_id, organization, organization_coordsys_id, definition)
      VALUES (?1, ?2, ?3, ?4, ?5)
    """

  static let insertContents = """
    INSERT INTO gpkg_contents (table_name, data_type, identifier, min_x, min_y, max_x, max_y, srs_id)
      VALUES (?1, 'features', ?1, ?2, ?3, ?4, ?5, ?6)
    """

  static let insertGeometryColumn = "INSERT INTO gpkg_geometry_columns VALUES (?1, ?2, ?3, ?4, ?5, ?6)"

  static let insertTreeExtension = """
    INSERT INTO gpkg_extensions VALUES (?1, ?2, 'gpkg_rtree_index',
      'http://www.geopackage.org/spec120/#extension_rtree', 'write-only')
    """

  /// The schema extension, which can say that a text is JSON.
  static let dataColumns = """
    CREATE TABLE IF NOT EXISTS gpkg_data_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL, name TEXT,
      title TEXT, description TEXT, mime_type TEXT, constraint_name TEXT,
      CONSTRAINT pk_gdc PRIMARY KEY (table_name, column_name), CONSTRAINT gdc_tn UNIQUE (table_name, name));
    CREATE TABLE IF NOT EXISTS gpkg_data_column_constraints (constraint_name TEXT NOT NULL,
      constraint_type TEXT NOT NULL, value TEXT, min NUMERIC, min_is_inclusive BOOLEAN, max NUMERIC,
      max_is_inclusive BOOLEAN, description TEXT,
      CONSTRAINT gdcc_ntv UNIQUE (constraint_name, constraint_type, value));
    INSERT INTO gpkg_extensions SELECT t, NULL, 'gpkg_schema', 'http://www.geopackage.org/spec121/#extension_schema',
      'read-write' FROM (SELECT 'gpkg_data_columns' AS t UNION ALL SELECT 'gpkg_data_column_constraints')
      WHERE NOT EXISTS (SELECT 1 FROM gpkg_extensions WHERE extension_name = 'gpkg_schema');
    """

  static let insertJSONColumn = """
    INSERT INTO gpkg_data_columns (table_name, column_name, mime_type) VALUES (?1, ?2, 'application/json')
    """

  /// The R-tree of a table, as the standard names it.
  static func tree(table: String, geometry: String) -> String { "rtree_\(table)_\(geometry)" }

  /// The triggers that keep the R-tree up with later changes by other programs, which bring the ST_ functions. They are
  /// those of version 1.4: 1.3 and older had one (update3) that missed a change of the id alone, and one (update1) that
  /// fails inside an upsert; update6 and update7 take its place.
  static func triggers(table: String, geometry: String, id: String) -> String {
    let prefix = tree(table: table, geometry: geometry)
    let (t, c, i, r) = (quoted(table), quoted(geometry), quoted(id), quoted(prefix))
    let box = "ST_MinX(NEW.\(c)), ST_MaxX(NEW.\(c)), ST_MinY(NEW.\(c)), ST_MaxY(NEW.\(c))"
    let full = "(NEW.\(c) NOTNULL AND NOT ST_IsEmpty(NEW.\(c)))"
    let empty = "(NEW.\(c) ISNULL OR ST_IsEmpty(NEW.\(c)))"
    func trigger(_ name: String, _ event: String, when condition: String, _ action: String) -> String {
      "CREATE TRIGGER \(quoted(prefix + "_" + name)) AFTER \(event) ON \(t) WHEN \(condition) BEGIN \(action); END;\n"
    }
    return trigger("insert", "INSERT", when: full, "INSERT OR REPLACE INTO \(r) VALUES (NEW.\(i), \(box))")
      + trigger(
        "update2", "UPDATE OF \(c)", when: "OLD.\(i) = NEW.\(i) AND \(empty)", "DELETE FROM \(r) WHERE id = OLD.\(i)")
      + trigger(
        "update4", "UPDATE", when: "OLD.\(i) != NEW.\(i) AND \(empty)",
        "DELETE FROM \(r) WHERE id IN (OLD.\(i), NEW.\(i))")
      + trigger(
        "update5", "UPDATE", when: "OLD.\(i) != NEW.\(i) AND \(full)",
        "DELETE FROM \(r) WHERE id = OLD.\(i); INSERT OR REPLACE INTO \(r) VALUES (NEW.\(i), \(box))")
      + trigger(
        "update6", "UPDATE OF \(c)",
        when: "OLD.\(i) = NEW.\(i) AND \(full) AND (OLD.\(c) NOTNULL AND NOT ST_IsEmpty(OLD.\(c)))",
        "UPDATE \(r) SET minx = ST_MinX(NEW.\(c)), maxx = ST_MaxX(NEW.\(c)), miny = ST_MinY(NEW.\(c)), "
          + "maxy = ST_MaxY(NEW.\(c)) WHERE id = NEW.\(i)")
      + trigger(
        "update7", "UPDATE OF \(c)",
        when: "OLD.\(i) = NEW.\(i) AND \(full) AND (OLD.\(c) ISNULL OR ST_IsEmpty(OLD.\(c)))",
        "INSERT INTO \(r) VALUES (NEW.\(i), \(box))")
      + trigger("delete", "DELETE", when: "OLD.\(c) NOT NULL", "DELETE FROM \(r) WHERE id = OLD.\(i)")
  }
}
