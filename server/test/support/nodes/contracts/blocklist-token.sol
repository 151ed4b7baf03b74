// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "./plain-token.sol";

/// Refuses transfers from and to addresses on its blocklist.
contract BlocklistToken is PlainToken {
    mapping(address => bool) public isBlocked;

    constructor(uint256 supply) PlainToken(supply) {}

    function setBlocked(address who, bool blocked) public {
        isBlocked[who] = blocked;
    }

    function move(address from, address to, uint256 value) internal override {
        require(!isBlocked[from] && !isBlocked[to], "blocked");
        super.move(from, to, value);
    }
}
